/* SPDX-License-Identifier: Apache-2.0 */
/** The commands {@code signet trust}: issuers and revocation lists. Imports {@code certificate}. */
@NullMarked
package org.signetmq.cli.command.trust;

import org.jspecify.annotations.NullMarked;
