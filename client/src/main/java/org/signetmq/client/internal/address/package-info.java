/* SPDX-License-Identifier: Apache-2.0 */
/** Works out the address that a received message must be sealed for. It imports {@code provider} and packages of it. */
@NullMarked
package org.signetmq.client.internal.address;

import org.jspecify.annotations.NullMarked;
