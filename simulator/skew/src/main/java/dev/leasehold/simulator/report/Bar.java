package dev.leasehold.simulator.report;

/**
 * Something in a lane that lasts for a while, or stands at an instant.
 *
 * @param shape how it is drawn
 * @param fromX where it begins
 * @param toX where it ends
 * @param styles class names of the shape
 * @param inkStyle class name of a label inside of it
 * @param label what stands in it or beside it
 * @param brief stands there instead, where there is little room
 * @param tip what is shown to somebody who points at it
 * @param open whether its end is not known, or is not in the picture
 */
record Bar(
        Shape shape,
        double fromX,
        double toX,
        String styles,
        String inkStyle,
        String label,
        String brief,
        String tip,
        boolean open) {

    /** How bars are drawn. */
    enum Shape {
        BOX,
        /** A line with a cap at its end. */
        WHISKER,
        /** A diamond at its beginning. */
        POINT
    }

    private static final double BOX_LEAST = 4;

    Bar withOpenEnd() {
        return new Bar(shape, fromX, toX, styles, inkStyle, label, brief, tip, true);
    }

    double drawnToX() {
        return shape == Shape.POINT ? fromX + BOX_LEAST : Math.max(toX, fromX + BOX_LEAST);
    }
}
