package dev.leasehold.release;

import japicmp.cmp.JApiCmpArchive;
import japicmp.cmp.JarArchiveComparator;
import japicmp.cmp.JarArchiveComparatorOptions;
import japicmp.model.AccessModifier;
import japicmp.model.JApiAnnotation;
import japicmp.model.JApiBehavior;
import japicmp.model.JApiClass;
import japicmp.model.JApiCompatibility;
import japicmp.model.JApiCompatibilityChange;
import japicmp.model.JApiConstructor;
import japicmp.model.JApiField;
import japicmp.model.JApiHasAccessModifier;
import japicmp.model.JApiImplementedInterface;
import japicmp.model.JApiMethod;
import japicmp.model.JApiSuperclass;
import japicmp.output.Filter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javassist.CtClass;
import javassist.CtMethod;
import javassist.Modifier;
import javassist.bytecode.AnnotationDefaultAttribute;

/** What people who call a library cannot do any more with a newer one: compile against it, or run with it as they were compiled. */
final class ApiBreaks implements Filter.FilterVisitor {

    /** Public for other modules of this build, and not for callers. */
    private static final Pattern INTERNAL = Pattern.compile("dev\\.leasehold\\.(engine\\.internal|simulator)\\..*");

    private final List<String> found = new ArrayList<>();

    private ApiBreaks() {}

    /** A line for each. */
    static List<String> between(Path older, Path newer) {
        JarArchiveComparatorOptions options = new JarArchiveComparatorOptions();
        options.getIgnoreMissingClasses().setIgnoreAllMissingClasses(true);
        ApiBreaks breaks = new ApiBreaks();
        Filter.filter(
                new JarArchiveComparator(options)
                        .compare(
                                new JApiCmpArchive(older.toFile(), "older"),
                                new JApiCmpArchive(newer.toFile(), "newer")),
                breaks);
        return breaks.found;
    }

    @Override
    public void visit(Iterator<JApiClass> all, JApiClass one) {
        add(one, one.getFullyQualifiedName(), one);
        for (JApiImplementedInterface implemented : one.getInterfaces()) {
            if (Modifier.isPublic(implemented.getCtClass().getModifiers())
                    && !isInternal(implemented.getFullyQualifiedName())) {
                add(one, one.getFullyQualifiedName(), implemented);
            }
        }
    }

    @Override
    public void visit(Iterator<JApiMethod> all, JApiMethod one) {
        JApiClass type = one.getjApiClass();
        String name = type.getFullyQualifiedName() + "." + one.getName();
        if (isForCallers(one) && !isAddedWhereCallersMissNothing(one, type)) {
            add(type, name, one);
            add(type, name, one.getReturnType());
            addParameters(type, name, one);
        }
        if (type.getOldClass().filter(CtClass::isAnnotation).isPresent() && isDefaultChanged(one)) {
            add(type, name, "ANNOTATION_DEFAULT_CHANGED");
        }
    }

    @Override
    public void visit(Iterator<JApiConstructor> all, JApiConstructor one) {
        if (isForCallers(one)) {
            String name = one.getjApiClass().getFullyQualifiedName() + ".<init>";
            add(one.getjApiClass(), name, one);
            addParameters(one.getjApiClass(), name, one);
        }
    }

    @Override
    public void visit(Iterator<JApiField> all, JApiField one) {
        if (isForCallers(one)) {
            add(one.getjApiClass(), one.getjApiClass().getFullyQualifiedName() + "." + one.getName(), one);
        }
    }

    @Override
    public void visit(Iterator<JApiImplementedInterface> all, JApiImplementedInterface one) {}

    @Override
    public void visit(Iterator<JApiAnnotation> all, JApiAnnotation one) {}

    @Override
    public void visit(JApiSuperclass one) {
        add(one.getJApiClassOwning(), one.getJApiClassOwning().getFullyQualifiedName(), one);
    }

    private void addParameters(JApiClass type, String name, JApiBehavior called) {
        called.getParameters().forEach(parameter -> add(type, name, parameter));
    }

    private void add(JApiClass type, String name, JApiCompatibility compared) {
        for (JApiCompatibilityChange change : compared.getCompatibilityChanges()) {
            if (!change.isBinaryCompatible() || !change.isSourceCompatible()) {
                add(type, name, change.getType().name());
            }
        }
    }

    private void add(JApiClass type, String name, String change) {
        if (!isInternal(type.getFullyQualifiedName())) {
            found.add(name + ": " + change);
        }
    }

    private static boolean isInternal(String type) {
        return INTERNAL.matcher(type).matches();
    }

    /** Callers never had what was private, or of its package alone. */
    private static boolean isForCallers(JApiHasAccessModifier one) {
        return one.getAccessModifier()
                .getOldModifier()
                .map(before -> before == AccessModifier.PUBLIC || before == AccessModifier.PROTECTED)
                .orElse(true);
    }

    /** A method is missed by people who implement its interface, extend its class, or write its annotation. */
    private static boolean isAddedWhereCallersMissNothing(JApiMethod method, JApiClass type) {
        Optional<CtClass> before = type.getOldClass();
        if (before.isEmpty() || method.getOldMethod().isPresent()) {
            return false;
        }
        CtClass older = before.get();
        if (older.isAnnotation()) {
            return method.getNewMethod().flatMap(ApiBreaks::defaultOf).isPresent();
        }
        return older.isInterface() ? !older.hasAnnotation(FunctionalInterface.class) : !mayBeExtended(older);
    }

    private static boolean mayBeExtended(CtClass type) {
        return Stream.of(type.getDeclaredConstructors())
                .anyMatch(constructor -> Modifier.isPublic(constructor.getModifiers())
                        || Modifier.isProtected(constructor.getModifiers()));
    }

    /** Compiled annotations do not contain a default: with another one they mean something else, without one they are incomplete. */
    private static boolean isDefaultChanged(JApiMethod attribute) {
        Optional<String> before = attribute.getOldMethod().flatMap(ApiBreaks::defaultOf);
        return before.isPresent()
                && attribute.getNewMethod().isPresent()
                && !before.equals(attribute.getNewMethod().flatMap(ApiBreaks::defaultOf));
    }

    private static Optional<String> defaultOf(CtMethod attribute) {
        return Optional.ofNullable((AnnotationDefaultAttribute)
                        attribute.getMethodInfo().getAttribute(AnnotationDefaultAttribute.tag))
                .map(declared -> declared.getDefaultValue().toString());
    }
}
