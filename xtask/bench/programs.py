"""Loops that people compile: each a function and what it is called with, for 1 to 100 ms of work.

All are in the part of Python that opwright and numba share, and give the same values under both.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

PROGRAMS: list[tuple[Callable[..., Any], Callable[[Any], tuple[Any, ...]]]] = []


def program(arguments: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any], Any]:
    """Adds a function, and what makes its arguments of a source of random numbers."""

    def add(function: Any) -> Any:
        PROGRAMS.append((function, arguments))
        return function

    return add


@program(lambda _: (200, 150, 100))
def mandelbrot(width: int, height: int, limit: int) -> Any:
    """Rounds until each point escapes."""
    out = np.zeros((height, width), np.int64)
    for y in range(height):
        for x in range(width):
            c = complex(-2.0 + 3.0 * x / width, -1.0 + 2.0 * y / height)
            z = 0j
            n = 0
            while z.real * z.real + z.imag * z.imag <= 4.0 and n < limit:
                z = z * z + c
                n += 1
            out[y, x] = n
    return out


@program(lambda rng: (rng.normal(size=(40, 3)), np.zeros((40, 3)), np.ones(40), 0.01, 200))
def n_body(position: Any, velocity: Any, mass: Any, dt: float, steps: int) -> Any:
    """Bodies that attract each other."""
    n = position.shape[0]
    for _ in range(steps):
        for i in range(n):
            for j in range(n):
                if i != j:
                    dx = position[j, 0] - position[i, 0]
                    dy = position[j, 1] - position[i, 1]
                    dz = position[j, 2] - position[i, 2]
                    squared = dx * dx + dy * dy + dz * dz + 0.01
                    pull = mass[j] / (squared * math.sqrt(squared))
                    velocity[i, 0] += dt * pull * dx
                    velocity[i, 1] += dt * pull * dy
                    velocity[i, 2] += dt * pull * dz
        for i in range(n):
            for k in range(3):
                position[i, k] += dt * velocity[i, k]
    return position[0, 0] + velocity[0, 0]


@program(lambda rng: (rng.integers(0, 4, 1000), rng.integers(0, 4, 1000)))
def edit_distance(a: Any, b: Any) -> Any:
    """How many letters differ between two texts."""
    n, m = len(a), len(b)
    before = np.arange(m + 1)
    row = np.zeros(m + 1, np.int64)
    for i in range(1, n + 1):
        row[0] = i
        for j in range(1, m + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            row[j] = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + cost)
        before, row = row, before
    return before[m]


@program(lambda rng: ((rng.random((100, 100)) > 0.6).astype(np.int64), 20))
def life(grid: Any, steps: int) -> Any:
    """Conway's cells on a torus."""
    h, w = grid.shape
    for _ in range(steps):
        after = np.zeros_like(grid)
        for i in range(h):
            for j in range(w):
                n = 0
                for di in range(-1, 2):
                    for dj in range(-1, 2):
                        if di != 0 or dj != 0:
                            n += grid[(i + di) % h, (j + dj) % w]
                if n == 3 or (n == 2 and grid[i, j] == 1):
                    after[i, j] = 1
        grid = after
    return grid


@program(lambda rng: (rng.random((120, 120)) * 10.0,))
def shortest_paths(weights: Any) -> Any:
    """Floyd and Warshall's."""
    d = weights.copy()
    n = d.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                through = d[i, k] + d[k, j]
                if through < d[i, j]:
                    d[i, j] = through
    return d


@program(lambda _: (1_000_000,))
def sieve(n: int) -> int:
    """How many primes there are up to a number."""
    prime = np.ones(n + 1, np.bool_)
    prime[0] = False
    prime[1] = False
    i = 2
    while i * i <= n:
        if prime[i]:
            for j in range(i * i, n + 1, i):
                prime[j] = False
        i += 1
    count = 0
    for k in range(n + 1):
        if prime[k]:
            count += 1
    return count


@program(lambda _: (0.0, 1.0, 1e-4, 50_000))
def runge_kutta(t: float, y: float, h: float, steps: int) -> float:
    """An equation of first order, by the method of fourth order."""
    for _ in range(steps):
        k1 = -2.0 * y + math.sin(t)
        k2 = -2.0 * (y + h * k1 / 2.0) + math.sin(t + h / 2.0)
        k3 = -2.0 * (y + h * k2 / 2.0) + math.sin(t + h / 2.0)
        k4 = -2.0 * (y + h * k3) + math.sin(t + h)
        y += h * (k1 + 2.0 * k2 + 2.0 * k3 + k4) / 6.0
        t += h
    return y


@program(lambda rng: (rng.random(1_000_000), 64))
def histogram(x: Any, bins: int) -> Any:
    """Numbers by where they lie between the least and the greatest."""
    low, high = x.min(), x.max()
    counts = np.zeros(bins, np.int64)
    for v in x:
        k = int((v - low) / (high - low) * bins)
        if k == bins:
            k -= 1
        counts[k] += 1
    return counts


@program(lambda rng: (rng.random((5000, 3)), 8, 5))
def k_means(x: Any, k: int, rounds: int) -> Any:
    """Points by the nearest of a few centres, which move."""
    n, d = x.shape
    centres = x[:k].copy()
    labels = np.zeros(n, np.int64)
    for _ in range(rounds):
        for i in range(n):
            best = np.inf
            for j in range(k):
                distance = 0.0
                for m in range(d):
                    distance += (x[i, m] - centres[j, m]) ** 2
                if distance < best:
                    best = distance
                    labels[i] = j
        centres[:] = 0.0
        counts = np.zeros(k)
        for i in range(n):
            for m in range(d):
                centres[labels[i], m] += x[i, m]
            counts[labels[i]] += 1.0
        for j in range(k):
            if counts[j] > 0.0:
                for m in range(d):
                    centres[j, m] /= counts[j]
    return centres


@program(lambda rng: (rng.random(65536) + 0j,))
def fft(x: Any) -> Any:
    """A Fourier transform of a power of two."""
    n = x.size
    x = x.copy()
    j = 0
    for i in range(1, n):
        bit = n >> 1
        while j & bit:
            j ^= bit
            bit >>= 1
        j ^= bit
        if i < j:
            x[i], x[j] = x[j], x[i]
    length = 2
    while length <= n:
        angle = -2.0 * math.pi / length
        step = complex(math.cos(angle), math.sin(angle))
        for i in range(0, n, length):
            w = 1.0 + 0j
            for k in range(length // 2):
                u = x[i + k]
                v = x[i + k + length // 2] * w
                x[i + k] = u + v
                x[i + k + length // 2] = u - v
                w = w * step
        length <<= 1
    return x


@program(lambda rng: (rng.random(20_000), 15))
def rolling_median(x: Any, width: int) -> Any:
    """The middle of each window, which is kept sorted."""
    n = len(x) - width + 1
    out = np.zeros(n)
    window = np.zeros(width)
    for i in range(n):
        for j in range(width):
            v = x[i + j]
            k = j
            while k > 0 and window[k - 1] > v:
                window[k] = window[k - 1]
                k -= 1
            window[k] = v
        out[i] = window[width // 2]
    return out


@program(lambda rng: (rng.random((200, 200)), np.ones((5, 5)) / 25.0))
def convolution(image: Any, kernel: Any) -> Any:
    """A picture, smoothed."""
    h, w = image.shape
    kh, kw = kernel.shape
    out = np.zeros((h - kh + 1, w - kw + 1))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            total = 0.0
            for p in range(kh):
                for q in range(kw):
                    total += image[i + p, j + q] * kernel[p, q]
            out[i, j] = total
    return out


@program(lambda rng: (rng.random(100_000) * 100.0 + 1.0,))
def newton(a: Any) -> Any:
    """Square roots by Newton's method."""
    out = np.zeros_like(a)
    for i in range(a.size):
        x = a[i]
        for _ in range(40):
            after = 0.5 * (x + a[i] / x)
            if abs(after - x) < 1e-12:
                break
            x = after
        out[i] = x
    return out


@program(lambda rng: (rng.integers(0, 256, 200_000).astype(np.uint8),))
def checksum(data: Any) -> int:
    """CRC-32, bit by bit."""
    c = 0xFFFFFFFF
    for i in range(data.size):
        c = c ^ int(data[i])
        for _ in range(8):
            c = (c >> 1) ^ 0xEDB88320 if c & 1 else c >> 1
    return c ^ 0xFFFFFFFF


@program(lambda rng: (rng.random(1_000_000), 0.99))
def rewards(r: Any, discount: float) -> Any:
    """What is still to come, from each step on."""
    out = np.zeros_like(r)
    total = 0.0
    for i in range(len(r) - 1, -1, -1):
        total = r[i] + discount * total
        out[i] = total
    return out


@program(lambda rng: (rng.integers(0, 1_000_000, 100_000),))
def quicksort(a: Any) -> Any:
    """Integers in order."""
    a = a.copy()
    stack = np.zeros((64, 2), np.int64)
    stack[0, 1] = len(a) - 1
    top = 0
    while top >= 0:
        low, high = stack[top, 0], stack[top, 1]
        top -= 1
        while low < high:
            pivot = a[(low + high) // 2]
            i, j = low, high
            while i <= j:
                while a[i] < pivot:
                    i += 1
                while a[j] > pivot:
                    j -= 1
                if i <= j:
                    a[i], a[j] = a[j], a[i]
                    i += 1
                    j -= 1
            if j - low < high - i:
                if i < high:
                    top += 1
                    stack[top, 0], stack[top, 1] = i, high
                high = j
            else:
                if low < j:
                    top += 1
                    stack[top, 0], stack[top, 1] = low, j
                low = i
    return a


@program(lambda rng: (rng.random((150, 150)) + np.eye(150) * 150.0, rng.random(150)))
def elimination(a: Any, b: Any) -> Any:
    """Linear equations, by Gauss."""
    a, b = a.copy(), b.copy()
    n = len(b)
    for i in range(n):
        for j in range(i + 1, n):
            f = a[j, i] / a[i, i]
            for k in range(i, n):
                a[j, k] -= f * a[i, k]
            b[j] -= f * b[i]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        total = b[i]
        for k in range(i + 1, n):
            total -= a[i, k] * x[k]
        x[i] = total / a[i, i]
    return x


@program(lambda _: (30_000,))
def collatz(n: int) -> tuple[int, int]:
    """The number below `n` that takes the most steps to one, and how many."""
    best, at = 0, 0
    for i in range(1, n):
        k, count = i, 0
        while k != 1:
            k = k // 2 if k % 2 == 0 else 3 * k + 1
            count += 1
        if count > best:
            best, at = count, i
    return best, at


@program(lambda rng: (rng.random((200, 200)), 50))
def diffusion(u: Any, steps: int) -> Any:
    """Heat that flows between neighbours, written as whole arrays."""
    for _ in range(steps):
        v = u.copy()
        v[1:-1, 1:-1] = u[1:-1, 1:-1] + 0.1 * (
            u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]
        )
        u = v
    return u


@program(lambda rng: (rng.random(1_000_000), rng.random(1_000_000)))
def black_scholes(price: Any, strike: Any) -> Any:
    """What options are worth, one at a time."""
    out = np.zeros_like(price)
    for i in range(price.size):
        s, k = 50.0 + 50.0 * price[i], 50.0 + 50.0 * strike[i]
        d1 = (math.log(s / k) + 0.07) / 0.3
        d2 = d1 - 0.3
        near = 0.5 * (1.0 + math.erf(d1 / math.sqrt(2.0)))
        far = 0.5 * (1.0 + math.erf(d2 / math.sqrt(2.0)))
        out[i] = s * near - k * math.exp(-0.05) * far
    return out
