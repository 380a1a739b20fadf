package dev.leasehold.simulator.store;

import dev.leasehold.simulator.world.SimulatorFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonRegularExpression;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Whether a document matches a filter, as a server judges it. It knows the operators that engines and assertions use, and fails loudly
 * at any other. The contract suite compares each of them with a real server.
 */
final class Filter {

    /** Those in use, which are few. */
    private static final Map<String, Pattern> PATTERNS = new ConcurrentHashMap<>();

    private Filter() {}

    static boolean matches(BsonDocument filter, BsonDocument document) {
        for (Map.Entry<String, BsonValue> part : filter.entrySet()) {
            String key = part.getKey();
            if (part.getValue().isNull() && key.indexOf('.') > 0) {
                throw new SimulatorFailure("a filter for null behind a path: " + key);
            }
            boolean holds = key.startsWith("$")
                    ? ofFilters(key, part.getValue(), document)
                    : isMet(part.getValue(), found(document, key));
            if (!holds) {
                return false;
            }
        }
        return true;
    }

    private static boolean ofFilters(String operator, BsonValue filters, BsonDocument document) {
        boolean all = operator.equals("$and");
        if (!all && !operator.equals("$or")) {
            throw new SimulatorFailure("a filter with " + operator);
        }
        for (BsonValue filter : filters.asArray()) {
            if (matches(filter.asDocument(), document) != all) {
                return !all;
            }
        }
        return all;
    }

    // ---- what lies at a path ----

    /** More than one value where the path goes through an array; none where there is no such field. */
    private static List<BsonValue> found(BsonDocument document, String path) {
        if (path.indexOf('.') < 0) {
            BsonValue value = document.get(path);
            return value == null ? List.of() : List.of(value);
        }
        List<BsonValue> found = new ArrayList<>(1);
        collect(document, path, 0, found);
        return found;
    }

    private static void collect(@Nullable BsonValue at, String path, int from, List<BsonValue> found) {
        if (at != null && from > path.length()) {
            found.add(at);
        } else if (at != null && (at.isDocument() || at.isArray())) {
            int dot = path.indexOf('.', from);
            int end = dot < 0 ? path.length() : dot;
            String key = path.substring(from, end);
            if (at.isDocument()) {
                collect(at.asDocument().get(key), path, end + 1, found);
            } else {
                collectIn(at.asArray(), key, path, end + 1, found);
            }
        }
    }

    /** In the element of that number, and in every element that has such a field. */
    private static void collectIn(BsonArray array, String key, String path, int from, List<BsonValue> found) {
        if (key.chars().allMatch(Character::isDigit) && Integer.parseInt(key) < array.size()) {
            collect(array.get(Integer.parseInt(key)), path, from, found);
        }
        for (BsonValue element : array) {
            if (element.isDocument()) {
                collect(element.asDocument().get(key), path, from, found);
            }
        }
    }

    // ---- conditions ----

    private static boolean isMet(BsonValue wanted, List<BsonValue> found) {
        if (!isOfOperators(wanted)) {
            return isEqualToAny(wanted, found);
        }
        for (Map.Entry<String, BsonValue> condition : wanted.asDocument().entrySet()) {
            if (!isMet(condition.getKey(), condition.getValue(), found)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isOfOperators(BsonValue wanted) {
        return wanted.isDocument()
                && !wanted.asDocument().isEmpty()
                && wanted.asDocument().getFirstKey().startsWith("$");
    }

    private static boolean isMet(String operator, BsonValue wanted, List<BsonValue> found) {
        return switch (operator) {
            case "$exists" -> found.isEmpty() != wanted.asBoolean().getValue();
            case "$eq" -> isEqualToAny(wanted, found);
            case "$in" -> isOneOf(wanted.asArray(), found);
            case "$gte" -> isAny(found, wanted, sign -> sign >= 0);
            case "$lte" -> isAny(found, wanted, sign -> sign <= 0);
            case "$lt" -> isAny(found, wanted, sign -> sign < 0);
            case "$type" -> isAny(found, value -> isOfType(wanted.asString().getValue(), value));
            case "$size" ->
                found.stream()
                        .anyMatch(value -> value.isArray()
                                && value.asArray().size() == wanted.asNumber().intValue());
            case "$elemMatch" ->
                found.stream()
                        .anyMatch(value -> value.isArray()
                                && value.asArray().stream()
                                        .anyMatch(element -> element.isDocument()
                                                && matches(wanted.asDocument(), element.asDocument())));
            default -> throw new SimulatorFailure("a filter with " + operator);
        };
    }

    private static boolean isOneOf(BsonArray wanted, List<BsonValue> found) {
        for (BsonValue each : wanted) {
            if (isEqualToAny(each, found)) {
                return true;
            }
        }
        return false;
    }

    /** A missing field is as good as null. */
    private static boolean isEqualToAny(BsonValue wanted, List<BsonValue> found) {
        if (found.isEmpty()) {
            return wanted.isNull();
        }
        if (wanted.isRegularExpression()) {
            Pattern pattern = pattern(wanted.asRegularExpression());
            return isAny(
                    found,
                    value -> value.isString()
                            && pattern.matcher(value.asString().getValue()).find());
        }
        return isAny(found, value -> BsonOrder.isEqual(value, wanted));
    }

    private static Pattern pattern(BsonRegularExpression expression) {
        if (!expression.getOptions().isEmpty()) {
            throw new SimulatorFailure("a filter with " + expression);
        }
        return PATTERNS.computeIfAbsent(expression.getPattern(), Pattern::compile);
    }

    private static boolean isAny(List<BsonValue> found, BsonValue wanted, IntPredicate sign) {
        return isAny(
                found, value -> BsonOrder.areComparable(value, wanted) && sign.test(BsonOrder.compare(value, wanted)));
    }

    /** An array has what one of its elements has. */
    private static boolean isAny(List<BsonValue> found, Predicate<BsonValue> condition) {
        for (BsonValue value : found) {
            if (condition.test(value) || value.isArray() && hasAny(value.asArray(), condition)) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasAny(BsonArray array, Predicate<BsonValue> condition) {
        for (BsonValue element : array) {
            if (condition.test(element)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOfType(String type, BsonValue value) {
        return switch (type) {
            case "int" -> value.isInt32();
            case "long" -> value.isInt64();
            case "string" -> value.isString();
            case "object" -> value.isDocument();
            default -> throw new SimulatorFailure("a filter for the type " + type);
        };
    }
}
