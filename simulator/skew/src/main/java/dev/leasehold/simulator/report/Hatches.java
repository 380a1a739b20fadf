package dev.leasehold.simulator.report;

/** Patterns of spans in which a machine or the database is not what it should be. Their colours come from the style sheet. */
final class Hatches {

    private Hatches() {}

    static Markup markup() {
        Markup hatches = new Markup().open("defs");
        hatch(hatches, "hatch-asleep", "7", "rotate(45)");
        hatch(hatches, "hatch-cut", "7", "rotate(-45)");
        hatch(hatches, "hatch-gone", "5", "rotate(45)");
        return hatches.close("defs");
    }

    private static void hatch(Markup hatches, String id, String size, String turned) {
        hatches.open(
                        "pattern",
                        "id",
                        id,
                        "width",
                        size,
                        "height",
                        size,
                        "patternUnits",
                        "userSpaceOnUse",
                        "patternTransform",
                        turned)
                .empty("path", "d", "M0 0V" + size, "class", id)
                .close("pattern");
    }
}
