/* SPDX-License-Identifier: Apache-2.0 */
/** Chooses the client library of a connection. The only place that knows the names of their classes. */
@NullMarked
package org.signetmq.client.internal.provider.choice;

import org.jspecify.annotations.NullMarked;
