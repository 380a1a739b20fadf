package dev.leasehold.simulator.store;

import dev.leasehold.simulator.world.SimulatorFailure;
import java.math.BigDecimal;
import java.util.Arrays;
import org.bson.BsonNumber;
import org.bson.BsonValue;

/** How a server compares values: numbers of all types with each other, and others with those of their own type. */
final class BsonOrder {

    private BsonOrder() {}

    static boolean areComparable(BsonValue one, BsonValue other) {
        return one.isNumber() && other.isNumber() || one.getBsonType() == other.getBsonType();
    }

    static boolean isEqual(BsonValue one, BsonValue other) {
        if (one.isNumber() && other.isNumber()) {
            return compare(one, other) == 0;
        }
        if (one.isDocument() && other.isDocument()) {
            throw new SimulatorFailure("a comparison of documents: " + other);
        }
        return one.equals(other);
    }

    /** Of two that can be compared. */
    static int compare(BsonValue one, BsonValue other) {
        if (one.isInt64() && other.isInt64()) {
            return Long.compare(one.asInt64().getValue(), other.asInt64().getValue());
        }
        if (one.isNumber()) {
            return decimal(one.asNumber()).compareTo(decimal(other.asNumber()));
        }
        if (one.isString()) {
            return compare(one.asString().getValue(), other.asString().getValue());
        }
        throw new SimulatorFailure("a comparison of values of type " + one.getBsonType());
    }

    /** By code points, and not by the halves in which Java keeps some. */
    static int compare(String one, String other) {
        int at = Arrays.mismatch(one.toCharArray(), other.toCharArray());
        if (at < 0 || at >= Math.min(one.length(), other.length())) {
            return Integer.compare(one.length(), other.length());
        }
        char oneChar = one.charAt(at);
        char otherChar = other.charAt(at);
        // The half of a pair stands for a code point above all others.
        return Character.isSurrogate(oneChar) == Character.isSurrogate(otherChar)
                ? Character.compare(oneChar, otherChar)
                : Character.isSurrogate(oneChar) ? 1 : -1;
    }

    private static BigDecimal decimal(BsonNumber number) {
        return number.isDouble() ? new BigDecimal(number.doubleValue()) : BigDecimal.valueOf(number.longValue());
    }
}
