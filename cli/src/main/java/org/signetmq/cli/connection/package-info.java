/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Connections to brokers: their URLs, the login, TLS, and the operations of their management. Imports {@code console}.
 */
@NullMarked
package org.signetmq.cli.connection;

import org.jspecify.annotations.NullMarked;
