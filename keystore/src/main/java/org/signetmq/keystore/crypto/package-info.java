/* SPDX-License-Identifier: Apache-2.0 */
/** Encrypts, wraps, agrees and signs with the providers chosen for this machine. Imports the root package alone. */
@NullMarked
package org.signetmq.keystore.crypto;

import org.jspecify.annotations.NullMarked;
