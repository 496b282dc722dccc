/* SPDX-License-Identifier: Apache-2.0 */
/** Encrypted file systems, and the search for payloads in clear. */
@NullMarked
package org.signetmq.perf.filesystem;

import org.jspecify.annotations.NullMarked;
