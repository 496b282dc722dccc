/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The setting {@code ams-compat}: protects messages as the public descriptions of IBM MQ Advanced Message Security say,
 * to compare Signet with that design. It is written from those descriptions alone, and contains no code of IBM.
 *
 * <p>It is for measurements only, and never part of the product: CBC has no authentication, and RSA with the padding of
 * PKCS #1 version 1.5 invites attacks on it. Imports variant.
 */
@NullMarked
package org.signetmq.perf.ams;

import org.jspecify.annotations.NullMarked;
