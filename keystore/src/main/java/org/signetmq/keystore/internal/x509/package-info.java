/* SPDX-License-Identifier: Apache-2.0 */
/** Makes certificates and validates paths of certificates. Imports {@code crypto} and the root package. */
@NullMarked
package org.signetmq.keystore.internal.x509;

import org.jspecify.annotations.NullMarked;
