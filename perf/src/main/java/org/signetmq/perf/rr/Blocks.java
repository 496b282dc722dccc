/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.signetmq.perf.result.Result;
import org.signetmq.perf.setting.Load;
import org.signetmq.perf.setting.Setting;

/** All measured blocks of a run, also those of an earlier run that it goes on with. For one thread. */
public final class Blocks {
    /** The pace at which each request follows a reply at once. */
    static final double CLOSED = 0;

    static final String PART = "part";

    private final Map<String, Result> measured = new LinkedHashMap<>();

    /** Returns the blocks that stand in a file of results; none if there are none. */
    public static Blocks of(JsonNode file) {
        Blocks blocks = new Blocks();
        Result.list(file.path("blocks"))
                .forEach(block -> blocks.add(
                        new Name(
                                block.text(PART),
                                Setting.of(block),
                                Load.of(block),
                                new Place(
                                        (int) block.number("round"),
                                        (int) block.number("position"),
                                        block.number("pace"))),
                        block));
        return blocks;
    }

    /** What tells blocks apart. */
    record Name(String part, Setting setting, Load load, Place place) {
        private String key() {
            return part + " " + setting.label() + " " + load + " " + place;
        }
    }

    /**
     * The place of a block among those of a load.
     *
     * @param position of the block in its round
     * @param pace share of the baseline's rate, or {@link #CLOSED}
     */
    record Place(int round, int position, double pace) {}

    /** Adds a block with its figures. */
    void add(Name name, Result figures) {
        Result block = Result.EMPTY
                .with(PART, name.part)
                .and(name.setting.json())
                .and(name.load.json())
                .with("round", name.place.round)
                .with("position", name.place.position)
                .with("pace", name.place.pace);
        for (Map.Entry<String, JsonNode> field : figures.json().properties()) {
            if (!block.has(field.getKey())) {
                block = block.with(field.getKey(), field.getValue());
            }
        }
        measured.put(name.key(), block);
    }

    /** Returns a block; empty if it is still to be measured. */
    Optional<Result> find(Name name) {
        return Optional.ofNullable(measured.get(name.key()));
    }

    /** Returns all blocks as they stand in JSON, in the order of their measurement. */
    public List<Result> list() {
        return new ArrayList<>(measured.values());
    }
}
