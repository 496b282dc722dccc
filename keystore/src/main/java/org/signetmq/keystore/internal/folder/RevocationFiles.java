/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.folder;

import java.nio.file.Path;

/**
 * The files of a home that say which certificates are revoked. None of them need exist.
 *
 * @param settings the settings of trust
 * @param crl the folder of revocation lists
 * @param ocsp the folder of OCSP answers
 * @param fetched the folder of lists and answers that Signet fetches
 */
public record RevocationFiles(CheckedFile settings, CheckedFolder crl, CheckedFolder ocsp, Path fetched) {}
