/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Wraps the connections, sessions, contexts, consumers and producers of Jakarta Messaging, and settles their messages.
 * Imports all other packages below {@code internal}; none of them imports this one.
 */
@NullMarked
package org.signetmq.client.internal.jms;

import org.jspecify.annotations.NullMarked;
