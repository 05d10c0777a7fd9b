"""Run by Alembic. The connection comes from `ninefold.store.sql.migrations.upgrade`."""

from alembic import context

from ninefold.store.sql.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
