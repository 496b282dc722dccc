/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.policy.internal.match;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * A bounded cache of results for addresses. A full cache is cleared, so a sender that invents addresses costs searches
 * but no memory. A hit takes no lock. Thread-safe.
 */
public final class AddressCache<V> {
    /** The longest address that is kept, in characters. */
    static final int LONGEST_ADDRESS = 512;

    private final ConcurrentHashMap<String, V> found = new ConcurrentHashMap<>();
    private final int capacity;

    public AddressCache(int capacity) {
        this.capacity = capacity;
    }

    public V get(String address, Function<String, V> search) {
        V hit = found.get(address);
        if (hit != null) {
            return hit;
        }
        V value = search.apply(address);
        if (address.length() <= LONGEST_ADDRESS) {
            remember(address, value);
        }
        return value;
    }

    /** Runs under a lock, because the size of a map is only an estimate while other threads change it. */
    private synchronized void remember(String address, V value) {
        if (found.size() >= capacity) {
            found.clear();
        }
        found.put(address, value);
    }

    synchronized int size() {
        return found.size();
    }
}
