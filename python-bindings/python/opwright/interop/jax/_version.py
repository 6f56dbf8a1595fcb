"""Which version of JAX the operators need."""

from __future__ import annotations

# The first with `jax.typeof`.
NEEDED = (0, 6, 0)


def check() -> None:
    """See that JAX is there.

    Raises:
        ImportError: It is absent, or too old.
    """
    needed = ".".join(map(str, NEEDED))
    try:
        import jax
    except ImportError as error:
        raise ImportError(
            f"`{__package__}` needs `jax` {needed} or newer, which is not installed; "
            '`pip install "jax[cpu]"` installs it',
            name="jax",
        ) from error
    version = jax.__version_info__
    if version[:3] < NEEDED:
        raise ImportError(
            f"`{__package__}` needs `jax` {needed} or newer, and {jax.__version__} is installed; "
            '`pip install --upgrade "jax[cpu]"` upgrades it',
            name="jax",
        )
