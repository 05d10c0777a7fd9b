"""The HTTP API: its endpoints, and the OpenAPI document that describes them."""
