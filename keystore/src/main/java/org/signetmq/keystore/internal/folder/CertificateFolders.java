/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.folder;

/**
 * The folders of certificates and revocation lists in a home.
 *
 * @param trust the trusted roots
 * @param crl the revocation lists
 * @param recipients the certificates of other parties
 */
public record CertificateFolders(CheckedFolder trust, CheckedFolder crl, CheckedFolder recipients) {}
