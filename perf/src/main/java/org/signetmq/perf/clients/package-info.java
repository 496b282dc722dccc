/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The clients of a load: requesters and responders, or uploaders and readers. Imports ams, process, result, setting,
 * upload and variant.
 */
@NullMarked
package org.signetmq.perf.clients;

import org.jspecify.annotations.NullMarked;
