/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.interceptor.internal.stream;

import org.signetmq.interceptor.internal.parse.BodyStage;

/** Takes everything and keeps nothing. */
public final class DiscardingStage implements BodyStage {
    @Override
    public void add(byte[] bytes, int offset, int length) {
        // kept nowhere
    }

    @Override
    public void finish() {
        // nothing to end
    }
}
