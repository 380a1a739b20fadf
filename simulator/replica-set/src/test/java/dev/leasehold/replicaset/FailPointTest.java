package dev.leasehold.replicaset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FailPointTest {

    @Test
    void theCommandHasEverythingThatWasAskedFor() {
        FailPoint failPoint = FailPoint.failCommands("update", "commitTransaction")
                .times(2)
                .withErrorCode(91)
                .withErrorLabels("RetryableWriteError")
                .blocking(Duration.ofSeconds(3))
                .forAppName("a");

        assertThat(failPoint.switchOn()).isEqualTo(Document.parse("""
                {configureFailPoint: "failCommand", mode: {times: 2}, data: {
                  failCommands: ["update", "commitTransaction"], errorCode: 91, errorLabels: ["RetryableWriteError"],
                  blockConnection: true, blockTimeMS: {$numberLong: "3000"}, appName: "a"}}"""));
        assertThat(failPoint.switchOff()).isEqualTo(Document.parse("{configureFailPoint: 'failCommand', mode: 'off'}"));
    }

    @Test
    void withoutACountItIsAlwaysOn() {
        assertThat(FailPoint.named("stopReplProducer").switchOn())
                .isEqualTo(Document.parse("{configureFailPoint: 'stopReplProducer', mode: 'alwaysOn', data: {}}"));
    }

    @Test
    void withAProbabilityItIsOnNowAndThen() {
        assertThat(FailPoint.failCommands("find").withProbability(0.05).switchOn())
                .containsEntry("mode", new Document("activationProbability", 0.05));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FailPoint.failCommands("find").withProbability(1.5))
                .withMessage("probability must be from 0 to 1, is 1.5");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FailPoint.failCommands("find").withProbability(Double.NaN));
    }

    @Test
    void changingACopyLeavesTheOriginal() {
        FailPoint original = FailPoint.failCommands("update");
        Document before = original.switchOn();

        original.skip(3).closingConnection();

        assertThat(original.switchOn()).isEqualTo(before);
    }

    @Test
    void aCountBelowOneIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FailPoint.failCommands("update").times(0))
                .withMessage("times must be at least 1, is 0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT-1S", "PT0S", "PT0.0009S", "P36500DT0.001S", "PT2562047788015215H"})
    void whatNoServerCanWaitIsRefused(Duration duration) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FailPoint.failCommands("update").blocking(duration))
                .withMessage("blocking must be 1 ms to 36500 days, is " + duration);
    }
}
