"""A cookie jar that stays empty."""

from __future__ import annotations

from http.cookiejar import CookieJar, DefaultCookiePolicy


def no_cookies() -> CookieJar:
    """Return a jar that accepts no cookie, so that no call depends on another."""
    return CookieJar(DefaultCookiePolicy(allowed_domains=[]))
