/* SPDX-License-Identifier: Apache-2.0 */
/** The structures of CMS envelopes, parsed and written. */
@NullMarked
package org.signetmq.envelope.internal.cms;

import org.jspecify.annotations.NullMarked;
