/* SPDX-License-Identifier: Apache-2.0 */
/** The structures of CMS envelopes, parsed and written. It imports {@code message} and {@code internal.der}. */
@NullMarked
package org.signetmq.envelope.internal.cms;

import org.jspecify.annotations.NullMarked;
