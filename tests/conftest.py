"""Settings that all tests share."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "giveaway",
    deadline=None,
    derandomize=True,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("giveaway")
