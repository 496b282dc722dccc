/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor;

/** Takes everything and keeps nothing. */
final class Nowhere implements BodyStage {
    @Override
    public void add(byte[] bytes, int offset, int length) {
        // kept nowhere
    }

    @Override
    public void finish() {
        // nothing to end
    }

    @Override
    public void close() {
        // holds nothing
    }
}
