/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Describes the client library under a connection, as far as its users need it. Imports no other package of the client.
 */
@NullMarked
package org.signetmq.client.internal.provider;

import org.jspecify.annotations.NullMarked;
