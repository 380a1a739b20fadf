package dev.leasehold.examples.names;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which code leads to which: what it calls or refers to, also in its lambdas, and the methods that override that. What a method is handed and
 * calls is found where it is made.
 */
final class CallGraph {

    private final JavaClasses classes;
    private final Map<JavaCodeUnit, Set<JavaCodeUnit>> next = new HashMap<>();

    CallGraph(JavaClasses classes) {
        this.classes = classes;
        for (JavaClass one : classes) {
            for (JavaCodeUnitAccess<?> access : one.getCodeUnitAccessesFromSelf()) {
                access.getTarget()
                        .resolveMember()
                        .ifPresent(called -> next.computeIfAbsent(access.getOrigin(), from -> new HashSet<>())
                                .addAll(withOverriding(called).collect(Collectors.toSet())));
            }
        }
    }

    private static Stream<JavaCodeUnit> withOverriding(JavaCodeUnit called) {
        if (called.isConstructor()) {
            return Stream.of(called);
        }
        int parameters = called.getRawParameterTypes().size();
        return Stream.concat(
                Stream.of(called),
                called.getOwner().getAllSubclasses().stream()
                        .flatMap(below -> below.getCodeUnits().stream())
                        .filter(unit -> unit.getName().equals(called.getName())
                                && unit.getRawParameterTypes().size() == parameters));
    }

    /** The methods of that name, whatever their parameters; none if there is no such class or method. */
    Set<JavaCodeUnit> named(String simpleClassName, String method) {
        return classes.stream()
                .filter(one -> one.isTopLevelClass() && one.getSimpleName().equals(simpleClassName))
                .flatMap(one -> one.getCodeUnits().stream())
                .filter(unit -> unit.getName().equals(method))
                .collect(Collectors.toSet());
    }

    /** All that these lead to through so many classes at most; what a class does within itself does not count. */
    Set<JavaCodeUnit> reachableFrom(Set<JavaCodeUnit> begin, int classesMax) {
        Set<JavaCodeUnit> reached = withinTheirClasses(begin);
        for (int step = 0; step < classesMax; step++) {
            reached = withinTheirClasses(reached.stream().flatMap(this::andNext).collect(Collectors.toSet()));
        }
        return reached;
    }

    private Set<JavaCodeUnit> withinTheirClasses(Set<JavaCodeUnit> begin) {
        Set<JavaCodeUnit> reached = new HashSet<>(begin);
        Deque<JavaCodeUnit> open = new ArrayDeque<>(begin);
        while (!open.isEmpty()) {
            JavaCodeUnit unit = open.remove();
            andNext(unit)
                    .filter(other -> outermost(other).equals(outermost(unit)) && reached.add(other))
                    .forEach(open::add);
        }
        return reached;
    }

    private Stream<JavaCodeUnit> andNext(JavaCodeUnit unit) {
        return Stream.concat(Stream.of(unit), next.getOrDefault(unit, Set.of()).stream());
    }

    private static JavaClass outermost(JavaCodeUnit unit) {
        JavaClass type = unit.getOwner();
        while (type.getEnclosingClass().isPresent()) {
            type = type.getEnclosingClass().get();
        }
        return type;
    }
}
