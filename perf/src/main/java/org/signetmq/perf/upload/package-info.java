/* SPDX-License-Identifier: Apache-2.0 */
/** Files that clients send to mailboxes: their sizes, how they arrive, and their way. Imports variant. */
@NullMarked
package org.signetmq.perf.upload;

import org.jspecify.annotations.NullMarked;
