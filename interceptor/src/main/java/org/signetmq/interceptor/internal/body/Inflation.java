/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.body;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.zip.InflaterInputStream;

/** Undoes the compression of Core clients, never beyond a bound. */
public final class Inflation {
    private Inflation() {}

    public static byte[] inflate(byte[] deflated, long mostBytes) throws MessageRejectedException {
        int bound = (int) Math.min(mostBytes, Integer.MAX_VALUE - Long.BYTES);
        byte[] inflated;
        try (InflaterInputStream in = new InflaterInputStream(new ByteArrayInputStream(deflated))) {
            inflated = in.readNBytes(bound + 1);
        } catch (IOException e) {
            throw new MessageRejectedException("body: said to be compressed, but cannot be decompressed");
        }
        if (inflated.length > bound) {
            throw new MessageRejectedException(
                    "body: too large to be protected, more than " + bound + " bytes once decompressed");
        }
        return inflated;
    }
}
