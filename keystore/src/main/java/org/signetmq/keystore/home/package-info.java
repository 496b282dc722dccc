/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Reads the home folder: its identities, certificates, revocation lists, passwords and permissions. Imports all other
 * packages of the keystore but {@code enrolment} and {@code token}, which import it.
 */
@NullMarked
package org.signetmq.keystore.home;

import org.jspecify.annotations.NullMarked;
