/* SPDX-License-Identifier: Apache-2.0 */
/** The places where policies live, a home or a running broker, and changes of them. Imports {@code connection}. */
@NullMarked
package org.signetmq.cli.command.policy.access;

import org.jspecify.annotations.NullMarked;
