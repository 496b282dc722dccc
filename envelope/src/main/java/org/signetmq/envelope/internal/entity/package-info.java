/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The MIME entity inside an envelope: header lines, percent-encoding, deflation. It imports {@code message} and
 * {@code internal.der}.
 */
@NullMarked
package org.signetmq.envelope.internal.entity;

import org.jspecify.annotations.NullMarked;
