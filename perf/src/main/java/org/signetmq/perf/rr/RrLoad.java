/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process of the clients, requesters and responders. Its first line of input is a {@link Site}, each one after that
 * a {@link Block}, all as JSON; it answers each block by a line with its {@link BlockResult}. Ends when its input ends.
 */
public final class RrLoad {
    private static final Logger LOG = LoggerFactory.getLogger(RrLoad.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    private RrLoad() {}

    /** Runs until the input ends. */
    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Site site = JSON.readValue(in.readLine(), Site.class);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            BlockResult result = run(site, JSON.readValue(line, Block.class));
            System.out.println(JSON.writeValueAsString(result));
        }
        System.exit(0);
    }

    private static BlockResult run(Site site, Block block) {
        try {
            return new BlockRun(site, block).execute();
        } catch (Exception e) {
            LOG.error("block {} failed", block.variant().label(), e);
            return BlockResult.failed(e.toString());
        }
    }
}
