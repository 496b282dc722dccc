/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The commands {@code signet broker}, and connections to brokers. Imports {@code policy}, {@code install} and
 * {@code console}.
 */
@NullMarked
package org.signetmq.cli.command.broker;

import org.jspecify.annotations.NullMarked;
