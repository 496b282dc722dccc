/* SPDX-License-Identifier: Apache-2.0 */
/** The MIME entity inside an envelope: header lines, percent-encoding, deflation. */
@NullMarked
package org.signetmq.envelope.internal.entity;

import org.jspecify.annotations.NullMarked;
