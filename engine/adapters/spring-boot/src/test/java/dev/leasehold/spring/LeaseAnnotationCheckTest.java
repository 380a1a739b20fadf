package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCursor;
import dev.leasehold.engine.LeaseEngine;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Stream;
import kotlin.coroutines.Continuation;
import kotlin.sequences.Sequence;
import kotlinx.coroutines.channels.ReceiveChannel;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.reactivestreams.Publisher;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.ResponseEntity;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An application with the annotations either works or does not start. The engine is never called. */
@ExtendWith(OutputCaptureExtension.class)
class LeaseAnnotationCheckTest {

    private final ApplicationContextRunner withoutEngine = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    AopAutoConfiguration.class,
                    LeaseholdAutoConfiguration.class,
                    LeaseAnnotationsAutoConfiguration.class))
            .withPropertyValues("spring.application.name=shop", "leasehold.housekeeping.enabled=false");

    private final ApplicationContextRunner application =
            withoutEngine.withBean(LeaseEngine.class, () -> unused(LeaseEngine.class));

    private static <T> T unused(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> switch (method.getName()) {
                    case "close" -> null;
                    case "toString" -> "unused";
                    case "hashCode" -> 1;
                    case "equals" -> proxy == arguments[0];
                    default -> throw new AssertionError(method + " was called");
                }));
    }

    private static void doesNotStart(ApplicationContextRunner runner, String... words) {
        runner.run(context -> assertThat(context).getFailure().message().contains(words));
    }

    private <T> void isRefused(Class<T> type, Supplier<T> bean, String... words) {
        application
                .withBean(type, bean)
                .run(context -> assertThat(context)
                        .getFailure()
                        .message()
                        .contains(words)
                        .contains(type.getName()));
    }

    static class Works {
        @Leased(name = "a")
        public String a() {
            return "";
        }

        @Leased(name = "b-#{#p0}-#{#root.method.name}")
        void b(String text) {}
    }

    @Test
    @DisplayName("An application whose annotations can be kept starts")
    void startsIfAllCanBeKept() {
        application.withBean(Works.class).run(context -> assertThat(context).hasNotFailed());
    }

    static class FinalMethod {
        @Leased(name = "a")
        public final void job() {}
    }

    static class PrivateMethod {
        @LeaderOnly
        private void job() {}
    }

    static class StaticMethod {
        @Leased(name = "a")
        public static void job() {}
    }

    static final class FinalClass {
        @Leased(name = "a")
        public void job() {}
    }

    @Test
    @DisplayName("A method that no proxy can intercept is refused")
    void whatCannotBeInterceptedIsRefused() {
        isRefused(FinalMethod.class, FinalMethod::new, "final", "job");
        isRefused(PrivateMethod.class, PrivateMethod::new, "private", "job");
        isRefused(StaticMethod.class, StaticMethod::new, "static", "job");
        isRefused(FinalClass.class, FinalClass::new, "final class");
    }

    interface Job {
        @Leased(name = "a")
        void job();
    }

    static class FinalJob implements Job {
        @Override
        public final void job() {}
    }

    @Test
    @DisplayName("The annotation of an interface counts; behind a proxy of interfaces the method may be final")
    void annotationOfAnInterfaceCounts() {
        isRefused(FinalJob.class, FinalJob::new, "final", "job");
        application
                .withBean(FinalJob.class)
                .withPropertyValues("spring.aop.proxy-target-class=false")
                .run(context -> assertThat(context).hasNotFailed());
    }

    abstract static class Generic<T> {
        @Leased(name = "a")
        public abstract void job(T argument);
    }

    static class Bridged extends Generic<String> {
        @Override
        public final void job(String argument) {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Leased(name = "a")
    @interface Nightly {}

    static class Composed {
        @Nightly
        public final void job() {}
    }

    @Test
    @DisplayName("The annotation of a super method behind a bridge, and an annotation of an annotation, count")
    void inheritedAnnotationsCount() {
        isRefused(Bridged.class, Bridged::new, "final", "job");
        isRefused(Composed.class, Composed::new, "final", "job");
    }

    static class BadWait {
        @Leased(name = "a", waitTime = "soon")
        public void job() {}
    }

    static class BadAtLeast {
        @Leased(name = "a", atLeast = "-5s")
        public void job() {}
    }

    static class BadAtMost {
        @Leased(name = "a", atMost = "later")
        public void job() {}
    }

    static class NoTimeAtMost {
        @Leased(name = "a", atMost = "0s")
        public void job() {}
    }

    static class LongWait {
        @Leased(name = "a", waitTime = "40000d")
        public void job() {}
    }

    static class ShortAtLeast {
        @Leased(name = "a", atLeast = "500us")
        public void job() {}
    }

    static class LongAtLeast {
        @Leased(name = "a", atLeast = "40000d")
        public void job() {}
    }

    static class LongAtMost {
        @Leased(name = "a", atMost = "40000d")
        public void job() {}
    }

    static class AtMostBelowAtLeast {
        @Leased(name = "a", atLeast = "5m", atMost = "4m")
        public void job() {}
    }

    static class BadStripes {
        @Leased(name = "a", gateStripes = 65)
        public void job() {}
    }

    static class BadName {
        @Leased(name = "two\nlines")
        public void job() {}
    }

    static class NoProperty {
        @Leased(name = "${no.such.property}")
        public void job() {}
    }

    static class BadExpression {
        @Leased(name = "a-#{#")
        public void job() {}
    }

    static class WrongParameter {
        @Leased(name = "stock-#{#warehose}")
        public void job(String warehouse) {}
    }

    static class NoSuchNumber {
        @Leased(name = "stock-#{#p1}")
        public void job(String warehouse) {}
    }

    static class NoSuchOccurrence {
        @Leased(name = "a", oncePer = "#{#a1}")
        public void job(String night) {}
    }

    static class PropertyInExpression {
        @Leased(name = "a-#{'${java.version}'}")
        public void job() {}
    }

    static class BadElection {
        @LeaderOnly(" ")
        public void job() {}
    }

    static class Gated {
        @Leased(name = "a", gated = true)
        public void job() {}
    }

    @Test
    @DisplayName("An attribute that cannot be read, or a name that cannot be made, is refused")
    void attributesAreRead() {
        isRefused(BadWait.class, BadWait::new, "waitTime", "soon");
        isRefused(BadAtLeast.class, BadAtLeast::new, "atLeast", "-5s");
        isRefused(BadAtMost.class, BadAtMost::new, "atMost", "later");
        isRefused(NoTimeAtMost.class, NoTimeAtMost::new, "atMost", "0s", "1 ms to 36500 days");
        isRefused(LongAtMost.class, LongAtMost::new, "atMost '40000d' is refused", "1 ms to 36500 days");
        isRefused(LongWait.class, LongWait::new, "waitTime '40000d' is refused", "zero, or 1 ms to 36500 days");
        isRefused(ShortAtLeast.class, ShortAtLeast::new, "atLeast '500us' is refused", "zero, or 1 ms to 36500 days");
        isRefused(LongAtLeast.class, LongAtLeast::new, "atLeast '40000d' is refused", "zero, or 1 ms to 36500 days");
        isRefused(AtMostBelowAtLeast.class, AtMostBelowAtLeast::new, "atMost", "4m", "atLeast", "PT5M");
        isRefused(BadStripes.class, BadStripes::new, "65");
        isRefused(BadName.class, BadName::new, "two");
        isRefused(NoProperty.class, NoProperty::new, "no.such.property");
        isRefused(BadExpression.class, BadExpression::new, "a-#{#");
        isRefused(WrongParameter.class, WrongParameter::new, "warehose", "warehouse");
        isRefused(NoSuchNumber.class, NoSuchNumber::new, "name 'stock-#{#p1}' is refused", "no parameter p1");
        isRefused(NoSuchOccurrence.class, NoSuchOccurrence::new, "oncePer '#{#a1}' is refused", "no parameter a1");
        isRefused(PropertyInExpression.class, PropertyInExpression::new, "property inside of an expression");
        isRefused(BadElection.class, BadElection::new, "white space");
        isRefused(Gated.class, Gated::new, "gated");
    }

    static class SkippedNumber {
        @Leased(name = "a")
        public int job() {
            return 1;
        }
    }

    static class LeaderNumber {
        @LeaderOnly
        public boolean job() {
            return true;
        }
    }

    static class Late {
        @Leased(name = "a")
        public Future<String> job() {
            return CompletableFuture.completedFuture("");
        }
    }

    static class LateStream {
        @Leased(name = "a")
        public Stream<String> job() {
            return Stream.of();
        }
    }

    static class LateAnswer {
        @LeaderOnly
        public DeferredResult<String> job() {
            return new DeferredResult<>();
        }
    }

    static class LatePublisher {
        @Leased(name = "a")
        public Publisher<String> job() {
            return Mono.just("");
        }
    }

    static class OtherStage {
        @Leased(name = "a")
        public OwnFuture job() {
            return new OwnFuture();
        }
    }

    static class OwnFuture extends CompletableFuture<String> {}

    static class GatedStage {
        @Leased(name = "a", gated = true)
        public CompletableFuture<String> job() {
            return CompletableFuture.completedFuture("");
        }
    }

    static class GatedMono {
        @Leased(name = "a", gated = true)
        public Mono<String> job() {
            return Mono.just("");
        }
    }

    static class Suspending {
        /** As the compiler of Kotlin writes a suspend function. */
        @Leased(name = "a")
        public Object job(Continuation<String> continuation) {
            return continuation;
        }
    }

    static class SuspendingLeader {
        @LeaderOnly
        public Object job(String argument, Continuation<String> continuation) {
            return continuation;
        }
    }

    static class Ends {
        @Leased(name = "a")
        public CompletableFuture<String> future() {
            return CompletableFuture.completedFuture("");
        }

        @Leased(name = "c")
        public CompletionStage<String> stage() {
            return CompletableFuture.completedStage("");
        }

        @Leased(name = "d")
        public Mono<String> mono() {
            return Mono.just("");
        }

        @Leased(name = "b")
        public Flux<String> flux() {
            return Flux.just("");
        }
    }

    static class LateThread {
        @Leased(name = "a")
        public Thread job() {
            throw new AssertionError();
        }
    }

    static class LateIterator {
        @Leased(name = "a")
        public MongoCursor<Document> job() {
            throw new AssertionError();
        }
    }

    static class LateQuery {
        @LeaderOnly
        public FindIterable<Document> job() {
            throw new AssertionError();
        }
    }

    static class LateSequence {
        @Leased(name = "a")
        public Sequence<String> job() {
            throw new AssertionError();
        }
    }

    static class LateChannel {
        @LeaderOnly
        public ReceiveChannel<String> job() {
            throw new AssertionError();
        }
    }

    static class LateLeader {
        @LeaderOnly
        public java.util.concurrent.Flow.Publisher<String> job() {
            throw new AssertionError();
        }
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Leased(name = "b")
    @interface Weekly {}

    static class NightlyAndWeekly {
        @Nightly
        @Weekly
        public void job() {}
    }

    static class NightlyAndOwn {
        @Nightly
        @Leased(name = "own")
        public void job() {}
    }

    interface NightlyJob {
        @Nightly
        void job();
    }

    interface WeeklyJob {
        @Weekly
        void job();
    }

    static class OfBoth implements NightlyJob, WeeklyJob {
        @Override
        public void job() {}
    }

    static class WeeklyBase {
        @Weekly
        public void job() {}
    }

    static class BesideTheBase extends WeeklyBase implements NightlyJob {}

    interface FirstLeader {
        @LeaderOnly("first")
        void job();
    }

    static class LeaderOfTwo implements FirstLeader, SecondLeader {
        @Override
        public void job() {}
    }

    interface SecondLeader {
        @LeaderOnly("second")
        void job();
    }

    static class Overriding extends WeeklyBase {
        @Override
        @Leased(name = "own")
        public void job() {}
    }

    static class SaidTwice implements NightlyJob {
        @Override
        @Nightly
        public void job() {}
    }

    @Test
    @DisplayName(
            "An annotation beside another one, of which only one could count, is refused; one that overrides counts")
    void oneAnnotationCounts() {
        isRefused(NightlyAndWeekly.class, NightlyAndWeekly::new, "name=\"a\"", "name=\"b\"", "would do nothing");
        isRefused(NightlyAndOwn.class, NightlyAndOwn::new, "name=\"a\"", "name=\"own\"", "would do nothing");
        isRefused(OfBoth.class, OfBoth::new, "name=\"a\"", "name=\"b\"", "would do nothing");
        isRefused(BesideTheBase.class, BesideTheBase::new, "name=\"a\"", "name=\"b\"", "would do nothing");
        isRefused(LeaderOfTwo.class, LeaderOfTwo::new, "\"first\"", "\"second\"", "would do nothing");
        application
                .withBean(Overriding.class)
                .run(context -> assertThat(context).hasNotFailed());
        application.withBean(SaidTwice.class).run(context -> assertThat(context).hasNotFailed());
    }

    static class ElectionOfAnExpression {
        @LeaderOnly("leader-#{@region.name}")
        public void job() {}
    }

    @Test
    @DisplayName("An expression in the name of an election, which would be taken as it stands, is refused")
    void expressionInAnElectionIsRefused() {
        isRefused(
                ElectionOfAnExpression.class,
                ElectionOfAnExpression::new,
                "name 'leader-#{@region.name}' is refused",
                "${...}");
    }

    static class ElectionOfNoProperty {
        @LeaderOnly("leader-${no.such.property}")
        public void job() {}
    }

    @Test
    @DisplayName("A property that does not exist in the name of an election is refused with the method")
    void propertyThatIsMissingInAnElectionIsRefused() {
        isRefused(ElectionOfNoProperty.class, ElectionOfNoProperty::new, "no.such.property", "job");
        // As in a whole application, where such a property is an error of its own.
        doesNotStart(
                application
                        .withConfiguration(AutoConfigurations.of(PropertyPlaceholderAutoConfiguration.class))
                        .withBean(ElectionOfNoProperty.class),
                "would not be guarded",
                "ElectionOfNoProperty.job",
                "no.such.property");
    }

    @Test
    @DisplayName("A late bean whose election cannot be is refused, and the application takes no part in that")
    void lateBeanOfABadElectionIsRefused() {
        application
                .withBean("late", Object.class, ElectionOfAnExpression::new, definition -> definition.setLazyInit(true))
                .run(context -> assertThatThrownBy(() -> context.getBean("late"))
                        .hasStackTraceContaining("would not be guarded as it says: name 'leader-#{@region.name}'"));
    }

    @Test
    @DisplayName("A name of leasehold.elections that no election can have is refused by its property")
    void badElectionOfThePropertyIsRefused() {
        application
                .withPropertyValues("leasehold.elections[0]=a", "leasehold.elections[1]= ")
                .run(context ->
                        assertThat(context).getFailure().hasStackTraceContaining("leasehold.elections: lease name '"));
    }

    @Test
    @DisplayName("A result that a skipped call cannot have, or that is there before the work is done, is refused")
    void resultsFit() {
        isRefused(SkippedNumber.class, SkippedNumber::new, "int", "THROW");
        isRefused(LeaderNumber.class, LeaderNumber::new, "boolean");
        isRefused(Late.class, Late::new, "java.util.concurrent.Future", "released before");
        isRefused(LateStream.class, LateStream::new, "Stream");
        isRefused(LateAnswer.class, LateAnswer::new, "DeferredResult");
        isRefused(LatePublisher.class, LatePublisher::new, "Publisher", "return CompletionStage");
        isRefused(LateLeader.class, LateLeader::new, "Publisher");
        isRefused(LateThread.class, LateThread::new, "java.lang.Thread", "released before");
        isRefused(LateIterator.class, LateIterator::new, "MongoCursor");
        isRefused(LateQuery.class, LateQuery::new, "FindIterable");
        isRefused(LateSequence.class, LateSequence::new, "kotlin.sequences.Sequence");
        isRefused(LateChannel.class, LateChannel::new, "ReceiveChannel");
        isRefused(OtherStage.class, OtherStage::new, "OwnFuture");
        isRefused(Suspending.class, Suspending::new, "suspend function", "mono { ... }", "runBlocking");
        isRefused(SuspendingLeader.class, SuspendingLeader::new, "suspend function", "mono { ... }", "runBlocking");
        application.withBean(Ends.class).run(context -> assertThat(context).hasNotFailed());
    }

    static class Streaming {
        @Leased(name = "a")
        public ResponseEntity<StreamingResponseBody> job() {
            throw new AssertionError();
        }
    }

    static class Nested {
        @Leased(name = "a")
        public Mono<ResponseEntity<Flux<String>>> job() {
            throw new AssertionError();
        }
    }

    static class Several {
        @LeaderOnly
        public List<CompletableFuture<?>[]> job() {
            throw new AssertionError();
        }
    }

    static class Returning<T> {
        @Leased(name = "a")
        public T job() {
            throw new AssertionError();
        }
    }

    static class LateForItsType extends Returning<Future<String>> {}

    static class ListForItsType extends Returning<List<? extends Comparable<?>>> {}

    static class OfItself {
        @Leased(name = "a")
        public <T extends Comparable<T>> T job() {
            throw new AssertionError();
        }
    }

    @Test
    @DisplayName(
            "A result that is there before the work is done is refused inside of another one and as a type variable too")
    void lateResultsAreSeenInOthers() {
        isRefused(
                Streaming.class, Streaming::new, "StreamingResponseBody in a org.springframework.http.ResponseEntity");
        isRefused(Nested.class, Nested::new, "Flux in a reactor.core.publisher.Mono");
        isRefused(Several.class, Several::new, "CompletableFuture in a java.util.List");
        application
                .withBean(LateForItsType.class)
                .run(context -> assertThat(context).getFailure().message().contains("java.util.concurrent.Future"));
        application
                .withBean(ListForItsType.class)
                .run(context -> assertThat(context).hasNotFailed());
        application.withBean(OfItself.class).run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    @DisplayName("A gated method whose work would go on outside of its transaction is refused")
    void gatedWorkEndsWithItsMethod() {
        isRefused(GatedStage.class, GatedStage::new, "gated = true", "CompletableFuture", "outside of the transaction");
        isRefused(GatedMono.class, GatedMono::new, "gated = true", "Mono", "outside of the transaction");
    }

    static class NoOccurrence {
        @Leased(name = "a", oncePer = "nightly")
        public void job() {}
    }

    static class FiveFields {
        @Leased(name = "a", oncePer = "0 3 * * *")
        public void job() {}
    }

    static class BadField {
        @Leased(name = "a", oncePer = "0 0 25 * * *")
        public void job() {}
    }

    static class NeverComes {
        @Leased(name = "a", oncePer = "0 0 0 31 2 *")
        public void job() {}
    }

    static class BadInterval {
        @Leased(name = "a", oncePer = "PT0.5S")
        public void job() {}
    }

    static class NoSuchInterval {
        @Leased(name = "a", oncePer = "${no.such.interval}")
        public void job() {}
    }

    static class BadZone {
        @Leased(name = "a", oncePer = "0 0 3 * * *", zone = "Europe/Bärlin")
        public void job() {}
    }

    static class ZoneOfAnInterval {
        @Leased(name = "a", oncePer = "PT1H", zone = "UTC")
        public void job() {}
    }

    static class ZoneOfAnExpression {
        @Leased(name = "a", oncePer = "#{#p0}", zone = "UTC")
        public void job(String batch) {}
    }

    static class ZoneOfNothing {
        @Leased(name = "a", zone = "UTC")
        public void job() {}
    }

    static class WrongArgument {
        @Leased(name = "a", oncePer = "#{#bach}")
        public void job(String batch) {}
    }

    static class CatchUpOfNothing {
        @Leased(name = "a", catchUp = CatchUp.LATEST)
        public void job() {}
    }

    static class CatchUpOfAnExpression {
        @Leased(name = "a", oncePer = "#{#p0}", catchUp = CatchUp.LATEST)
        public void job(String batch) {}
    }

    static class CatchUpWithParameters {
        @Leased(name = "a", oncePer = "PT1H", catchUp = CatchUp.LATEST)
        public void job(String text) {}
    }

    static class OnceWithoutSpringData {
        @Leased(name = "a", oncePer = "PT1H")
        public void job() {}
    }

    static class OnceStage {
        @Leased(name = "a", oncePer = "PT1H")
        public CompletableFuture<String> job() {
            return CompletableFuture.completedFuture("");
        }
    }

    @Test
    @DisplayName("What names no occurrence, or asks for what it has no use for, is refused with its value and the rule")
    void occurrencesAreRead() {
        String rule = "a cron expression with six fields, an interval such as PT1H, or a text with #{...}";
        isRefused(NoOccurrence.class, NoOccurrence::new, "oncePer 'nightly' is refused", rule);
        isRefused(FiveFields.class, FiveFields::new, "oncePer '0 3 * * *' is refused", rule);
        isRefused(BadField.class, BadField::new, "oncePer", "'0 0 25 * * *' is refused");
        isRefused(NeverComes.class, NeverComes::new, "oncePer", "'0 0 0 31 2 *' is refused", "never comes");
        isRefused(BadInterval.class, BadInterval::new, "oncePer 'PT0.5S' is refused", rule, "whole seconds");
        isRefused(NoSuchInterval.class, NoSuchInterval::new, "no.such.interval");
        isRefused(BadZone.class, BadZone::new, "zone 'Europe/Bärlin' is refused", "Europe/Berlin");
        isRefused(ZoneOfAnInterval.class, ZoneOfAnInterval::new, "zone 'UTC' is refused", "counted from 1970");
        isRefused(ZoneOfAnExpression.class, ZoneOfAnExpression::new, "zone 'UTC' is refused", "arguments");
        isRefused(ZoneOfNothing.class, ZoneOfNothing::new, "zone 'UTC' is refused", "empty");
        isRefused(WrongArgument.class, WrongArgument::new, "oncePer '#{#bach}' is refused", "bach", "batch");
        isRefused(CatchUpOfNothing.class, CatchUpOfNothing::new, "catchUp = LATEST is refused", "oncePer");
        isRefused(CatchUpOfAnExpression.class, CatchUpOfAnExpression::new, "catchUp = LATEST is refused", "#{#p0}");
        isRefused(CatchUpWithParameters.class, CatchUpWithParameters::new, "catchUp = LATEST is refused", "arguments");
        isRefused(OnceWithoutSpringData.class, OnceWithoutSpringData::new, "oncePer 'PT1H' is refused", "Spring Data");
        isRefused(OnceStage.class, OnceStage::new, "oncePer 'PT1H' is refused", "outside of the transaction");
    }

    static class OneSchedule {
        @Leased(name = "report", shared = true, oncePer = "0 0 3 * * *")
        public void a() {}

        @Leased(name = "report", shared = true)
        public void other() {}
    }

    static class OtherSchedule {
        @Leased(name = "report", shared = true, oncePer = "0 0 3 * * *")
        public void b() {}
    }

    @Test
    @DisplayName("Two methods whose schedules name the occurrences of one lease are refused, also if they share it")
    void schedulesDoNotShareALease() {
        ApplicationContextRunner gated =
                application.withBean(LeaseholdAutoConfiguration.GATED_TRANSACTIONS, Object.class, Object::new);
        gated.withBean(OneSchedule.class).run(context -> assertThat(context).hasNotFailed());
        doesNotStart(
                gated.withBean(OneSchedule.class).withBean(OtherSchedule.class),
                "'report'",
                "several methods with oncePer",
                "OneSchedule.a",
                "OtherSchedule.b");
        doesNotStart(
                gated.withBean("north", OtherSchedule.class).withBean("south", OtherSchedule.class),
                "several methods with oncePer",
                "b of bean 'north'",
                "b of bean 'south'");
    }

    static class OneName {
        @Leased(name = "report")
        public void a() {}
    }

    static class SameName {
        @Leased(name = "report")
        public void b() {}
    }

    static class SharedName {
        @Leased(name = "report", shared = true)
        public void b() {}
    }

    static class Inheriting extends OneName {}

    static class AlsoInheriting extends OneName {}

    static class NameOfItsBean {
        @Leased(name = "report-#{region()}")
        public void job() {}

        public String region() {
            return "north";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OneObject {
        @Bean
        OneName one() {
            return new OneName();
        }

        @Bean
        Object sameUnderAnotherName(OneName one) {
            return one;
        }
    }

    static class ReportFactory implements FactoryBean<OneName> {
        @Override
        public OneName getObject() {
            return new OneName();
        }

        @Override
        public Class<?> getObjectType() {
            return OneName.class;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OneProduct {
        @Bean
        ReportFactory one() {
            return new ReportFactory();
        }

        @Bean
        OneName sameUnderAnotherName(@Qualifier("one") OneName one) {
            return one;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OneLateObject {
        @Bean
        @Lazy
        OneName one() {
            return new OneName();
        }

        @Bean
        @Lazy
        OneName sameUnderAnotherName(@Qualifier("one") OneName one) {
            return one;
        }
    }

    static class Elected {
        @LeaderOnly("report")
        public void job() {}
    }

    @Test
    @DisplayName("Two methods with one lease are refused unless they say so")
    void namesAreNotSharedByMistake() {
        doesNotStart(
                application.withBean(OneName.class).withBean(SameName.class),
                "'report'",
                "OneName.a",
                "SameName.b",
                "shared = true");
        doesNotStart(application.withBean(OneName.class).withBean(SharedName.class), "OneName.a", "SharedName.b");
        application
                .withBean("one", SharedName.class)
                .withBean("other", SharedName.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    @DisplayName(
            "Two beans with one method, of their class or of a super class, have one lease: that counts as two methods")
    void beansDoNotShareANameByMistake() {
        doesNotStart(
                application.withBean("north", OneName.class).withBean("south", OneName.class),
                "'report'",
                "a of bean 'north'",
                "a of bean 'south'",
                "shared = true");
        doesNotStart(
                application.withBean(Inheriting.class).withBean(AlsoInheriting.class),
                "'report'",
                "$Inheriting.a",
                "$AlsoInheriting.a");
        application
                .withBean("north", NameOfItsBean.class)
                .withBean("south", NameOfItsBean.class)
                .run(context -> assertThat(context).hasNotFailed());
        application
                .withUserConfiguration(OneObject.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    @DisplayName(
            "Two names of one object are one bean, also if a factory makes it or it is made late; two objects are two")
    void namesOfOneLateObjectShareItsLease() {
        application
                .withUserConfiguration(OneProduct.class)
                .run(context -> assertThat(context).hasNotFailed());
        application
                .withUserConfiguration(OneLateObject.class)
                .run(context -> assertThat(context).hasNotFailed());
        doesNotStart(
                application.withBean("north", ReportFactory.class).withBean("south", ReportFactory.class),
                "a of bean 'north'",
                "a of bean 'south'");
        doesNotStart(
                application
                        .withBean("north", OneName.class, OneName::new, definition -> definition.setLazyInit(true))
                        .withBean("south", OneName.class, OneName::new, definition -> definition.setLazyInit(true)),
                "a of bean 'north'",
                "a of bean 'south'");
    }

    @Test
    @DisplayName("A late bean that could share no lease by mistake stays late")
    void lateBeansStayLate() {
        application
                .withBean("one", SharedName.class, () -> unmade(), definition -> definition.setLazyInit(true))
                .withBean("other", SharedName.class, () -> unmade(), definition -> definition.setLazyInit(true))
                .withBean("alone", OneElsewhere.class, () -> unmade(), definition -> definition.setLazyInit(true))
                .run(context -> assertThat(context).hasNotFailed());
    }

    static class OneElsewhere {
        @Leased(name = "elsewhere")
        public void a() {}
    }

    private static <T> T unmade() {
        throw new AssertionError("the bean was made");
    }

    @Test
    @DisplayName(
            "A method whose lease is an election, which its leader holds all the time, is refused unless it says so")
    void electionsDoNotShareANameByMistake() {
        doesNotStart(
                application.withBean(OneName.class).withBean(Elected.class),
                "'report'",
                "an election",
                "OneName.a",
                "shared = true");
        doesNotStart(
                application.withBean(OneName.class).withPropertyValues("leasehold.elections=report"),
                "an election",
                "OneName.a");
    }

    static class LeasedLeader {
        @LeaderOnly("report")
        @Leased(name = "report", shared = true)
        public void job() {}
    }

    @Test
    @DisplayName("A method that acquires the lease of its own election, and so would never run, is refused")
    void leaderDoesNotAcquireItsOwnElection() {
        isRefused(
                LeasedLeader.class, LeasedLeader::new, "@Leased and @LeaderOnly name one lease, 'report'", "never run");
    }

    @Test
    @DisplayName("A bean that is made late is looked at when the application starts")
    void lateBeansAreLookedAt() {
        application
                .withBean(FinalMethod.class, FinalMethod::new, definition -> definition.setLazyInit(true))
                .run(context -> assertThat(context).hasFailed());
    }

    @Test
    @DisplayName("Without an engine such an application does not start, and the reason is said")
    void withoutAnEngineNothingStarts() {
        doesNotStart(withoutEngine.withBean(Works.class), "2 methods", "MongoClient");
        doesNotStart(
                withoutEngine
                        .withBean(Works.class)
                        .withBean("one", MongoClient.class, () -> unused(MongoClient.class))
                        .withBean("other", MongoClient.class, () -> unused(MongoClient.class)),
                "2 beans",
                "@Primary");
        doesNotStart(
                withoutEngine.withBean(Works.class).withPropertyValues("leasehold.enabled=false"),
                "leasehold.enabled is false",
                "leasehold.unguarded=allow");
        withoutEngine.run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    @DisplayName(
            "Without the configuration that makes annotations work, it does not start either, although there is an engine or a client")
    void withoutItsConfigurationNothingStarts() {
        ApplicationContextRunner excluded = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LeaseAnnotationsAutoConfiguration.class))
                .withBean(Works.class);
        doesNotStart(
                excluded.withBean(MongoClient.class, () -> unused(MongoClient.class)),
                "2 methods",
                "LeaseholdAutoConfiguration is excluded",
                "processed ahead of time");
        doesNotStart(
                excluded.withBean(LeaseEngine.class, () -> unused(LeaseEngine.class)),
                "LeaseholdAutoConfiguration is excluded");
    }

    @Test
    @DisplayName("With several engines such an application starts only if one of them is primary")
    void oneOfSeveralEnginesIsPrimary() {
        doesNotStart(
                application
                        .withBean("second", LeaseEngine.class, () -> unused(LeaseEngine.class))
                        .withBean(Works.class),
                "2 beans of type LeaseEngine",
                "@Primary");
        application
                .withBean(
                        "second",
                        LeaseEngine.class,
                        () -> unused(LeaseEngine.class),
                        definition -> definition.setPrimary(true))
                .withBean(Works.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    @DisplayName("To run unguarded is a decision, which the log tells once")
    void unguardedIsADecision(CapturedOutput output) {
        withoutEngine
                .withBean(Works.class)
                .withPropertyValues("leasehold.enabled=false", "leasehold.unguarded=allow")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(Works.class).a()).isEmpty();
                });
        assertThat(output.getOut().lines().filter(line -> line.contains("run without a lease")))
                .singleElement()
                .asString()
                .contains("2 methods");
        withoutEngine
                .withBean(Works.class)
                .withPropertyValues("leasehold.unguarded=allow")
                .run(context -> assertThat(context).hasFailed());
    }
}
