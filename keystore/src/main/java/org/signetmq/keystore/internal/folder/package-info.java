/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Reads the folders of certificates and revocation lists, and notices changed files. Imports the packages of trust,
 * names and X.509 rules.
 */
@NullMarked
package org.signetmq.keystore.internal.folder;

import org.jspecify.annotations.NullMarked;
