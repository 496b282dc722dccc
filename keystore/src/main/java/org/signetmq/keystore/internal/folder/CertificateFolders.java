/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.keystore.internal.folder;

/**
 * The folders of a home by which it trusts certificates.
 *
 * @param trust the trusted roots
 * @param recipients the certificates of other parties
 * @param revocation says which certificates are revoked
 */
public record CertificateFolders(CheckedFolder trust, CheckedFolder recipients, RevocationFiles revocation) {}
