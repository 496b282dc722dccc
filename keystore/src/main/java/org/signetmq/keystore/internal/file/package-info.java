/* SPDX-License-Identifier: Apache-2.0 */
/** Looks at single files: owners, modes, sizes, and the paths that lead to them. Imports the root package alone. */
@NullMarked
package org.signetmq.keystore.internal.file;

import org.jspecify.annotations.NullMarked;
