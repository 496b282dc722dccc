/* SPDX-License-Identifier: Apache-2.0 */
/** Makes and removes the paddings of RSA for keys whose owner computes only raw RSA. Imports no other package. */
@NullMarked
package org.signetmq.keystore.internal.crypto;

import org.jspecify.annotations.NullMarked;
