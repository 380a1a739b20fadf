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
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.Target;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javassist.CtClass;
import javassist.CtField;
import javassist.CtMethod;
import javassist.Modifier;
import javassist.NotFoundException;
import javassist.bytecode.AnnotationDefaultAttribute;
import javassist.bytecode.annotation.Annotation;
import javassist.bytecode.annotation.ArrayMemberValue;
import javassist.bytecode.annotation.EnumMemberValue;

/** What people who call a library cannot do any more with a newer one: compile against it, or run with it as they were compiled. */
final class ApiBreaks implements Filter.FilterVisitor {

    /** Public for other modules of this build, and not for callers. */
    private static final Pattern INTERNAL = Pattern.compile("dev\\.leasehold\\.(engine\\.internal|simulator)\\..*");

    /** Where an annotation without {@link Target} may be written. */
    private static final Set<String> DECLARATIONS = Stream.of(ElementType.values())
            .filter(element -> element != ElementType.TYPE_USE)
            .map(ElementType::name)
            .collect(Collectors.toUnmodifiableSet());

    /** What else an annotation says about its use: callers have a break where that is changed or gone. */
    private static final Set<String> USES =
            Set.of(Retention.class.getName(), Inherited.class.getName(), Repeatable.class.getName());

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
        if (one.getOldClass().filter(CtClass::isAnnotation).isPresent()
                && one.getNewClass().isPresent()) {
            one.getAnnotations().stream()
                    .filter(ApiBreaks::isUseRestricted)
                    .forEach(meta -> add(one, one.getFullyQualifiedName(), "ANNOTATION_USE_RESTRICTED"));
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
            String name = one.getjApiClass().getFullyQualifiedName() + "." + one.getName();
            add(one.getjApiClass(), name, one);
            if (isConstantChanged(one)) {
                add(one.getjApiClass(), name, "CONSTANT_VALUE_CHANGED");
            }
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
        if (!isInternal(type.getFullyQualifiedName()) && isReached(type)) {
            found.add(name + ": " + change);
        }
    }

    /** Not what is public inside of a type that is not, as all types in an interface are. */
    private static boolean isReached(JApiClass type) {
        try {
            for (CtClass each = type.getOldClass().orElse(null); each != null; each = each.getDeclaringClass()) {
                if (!Modifier.isPublic(each.getModifiers()) && !Modifier.isProtected(each.getModifiers())) {
                    return false;
                }
            }
            return true;
        } catch (NotFoundException e) {
            throw new IllegalStateException("a class without the one around it", e);
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

    /** Compiled callers contain the value of a constant, and go on with the old one. */
    private static boolean isConstantChanged(JApiField field) {
        Optional<Object> before = field.getOldFieldOptional().map(CtField::getConstantValue);
        return before.isPresent()
                && field.getNewFieldOptional().isPresent()
                && !before.equals(field.getNewFieldOptional().map(CtField::getConstantValue));
    }

    private static boolean isUseRestricted(JApiAnnotation meta) {
        if (meta.getFullyQualifiedName().equals(Target.class.getName())) {
            return !places(meta.getNewAnnotation()).containsAll(places(meta.getOldAnnotation()));
        }
        Optional<String> before = meta.getOldAnnotation().map(Annotation::toString);
        return USES.contains(meta.getFullyQualifiedName())
                && before.isPresent()
                && !before.equals(meta.getNewAnnotation().map(Annotation::toString));
    }

    private static Set<String> places(Optional<Annotation> target) {
        return target.map(declared -> (ArrayMemberValue) declared.getMemberValue("value"))
                .map(declared -> Stream.of(declared.getValue())
                        .map(place -> ((EnumMemberValue) place).getValue())
                        .collect(Collectors.toSet()))
                .orElse(DECLARATIONS);
    }

    private static Optional<String> defaultOf(CtMethod attribute) {
        return Optional.ofNullable((AnnotationDefaultAttribute)
                        attribute.getMethodInfo().getAttribute(AnnotationDefaultAttribute.tag))
                .map(declared -> declared.getDefaultValue().toString());
    }
}
