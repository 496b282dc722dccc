/* SPDX-License-Identifier: Apache-2.0 */
/** Works out the address that a received message must be sealed for. Imports {@code provider} only. */
@NullMarked
package org.signetmq.client.internal.address;

import org.jspecify.annotations.NullMarked;
