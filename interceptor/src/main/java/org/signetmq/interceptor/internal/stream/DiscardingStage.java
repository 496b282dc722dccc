/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.stream;

import org.signetmq.interceptor.internal.parse.BodyStage;

/** Discards a body. */
public final class DiscardingStage implements BodyStage {
    @Override
    public void add(byte[] bytes, int offset, int length) {
        // discarded
    }

    @Override
    public void finish() {
        // has no output
    }
}
