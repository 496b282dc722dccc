/* SPDX-License-Identifier: Apache-2.0 */
/** The names and limits of {@code docs/format.md}. */
@NullMarked
package org.signetmq.envelope.internal.format;

import org.jspecify.annotations.NullMarked;
