/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

/**
 * Takes nothing.
 *
 * @param reason why
 */
record Refusing(String reason) implements BodyStage {
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
