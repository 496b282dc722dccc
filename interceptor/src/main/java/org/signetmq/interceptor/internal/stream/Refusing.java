/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.stream;

import org.signetmq.interceptor.internal.body.RefusedException;

/**
 * Takes nothing.
 *
 * @param reason why
 */
public record Refusing(String reason) implements BodyStage {
    @Override
    public void add(byte[] bytes, int offset, int length) throws RefusedException {
        throw new RefusedException(reason);
    }

    @Override
    public void finish() throws RefusedException {
        throw new RefusedException(reason);
    }

    @Override
    public void close() {
        // holds nothing
    }
}
