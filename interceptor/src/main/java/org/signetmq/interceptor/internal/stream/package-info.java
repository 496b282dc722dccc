/* SPDX-License-Identifier: Apache-2.0 */
/** The stages that read the body of a large message piece by piece. It imports {@code body} and {@code parse}. */
@NullMarked
package org.signetmq.interceptor.internal.stream;

import org.jspecify.annotations.NullMarked;
