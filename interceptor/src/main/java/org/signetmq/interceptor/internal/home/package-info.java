/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The plugin's configuration and the files of its home: policies, identities, certificates, and whether they work. It
 * imports the log.
 */
@NullMarked
package org.signetmq.interceptor.internal.home;

import org.jspecify.annotations.NullMarked;
