/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Describes the client library under a connection, as far as its users need it. The classes with the name of a library
 * load only where that library is on the class path. Imports no other package of the client.
 */
@NullMarked
package org.signetmq.client.internal.provider;

import org.jspecify.annotations.NullMarked;
