package dev.leasehold.operator;

import com.mongodb.MongoException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoTimeoutException;
import dev.leasehold.assertions.LeaseNames;
import dev.leasehold.engine.CorruptDocumentException;
import dev.leasehold.engine.LeaseContentionException;
import dev.leasehold.engine.LeaseOutcomeUnknownException;
import dev.leasehold.engine.LeaseStoreException;
import dev.leasehold.engine.LeaseUnavailableException;
import dev.leasehold.engine.UnsupportedDeploymentException;

/** What is printed of an exception, and how the process ends with it. */
final class Failures {

    private Failures() {}

    /**
     * An error as JSON.
     *
     * @param error what is wrong
     * @param exitCode of the process
     */
    record ErrorRow(String error, int exitCode) {}

    static int tell(CommandContext context, Throwable thrown, boolean json) {
        ExitCode code = code(thrown);
        String message = describe(thrown);
        context.printError(json ? Json.line(new ErrorRow(message, code.number())) : message);
        return code.number();
    }

    /** In a line, without anything secret. */
    static String describe(Throwable thrown) {
        if (isMissingNamespace(thrown)) {
            return "there is no namespace " + LeaseNames.quote(((CorruptDocumentException) thrown).documentId())
                    + " in this collection: are database, collection and namespace the right ones?"
                    + " If they are, its clock document was deleted, and the runbook says what to do";
        }
        String message = thrown.getMessage() == null ? thrown.getClass().getName() : thrown.getMessage();
        if (thrown instanceof LeaseContentionException) {
            message += ". If an open transaction blocks it, 'leasehold doctor' names it, and the command that ends it";
        }
        return Redaction.of(code(thrown) == ExitCode.FAILED ? thrown.getClass().getName() + ": " + message : message);
    }

    static boolean isMissingNamespace(Throwable thrown) {
        return thrown instanceof CorruptDocumentException corrupt
                && corrupt.field().equals("_id");
    }

    static ExitCode code(Throwable thrown) {
        if (thrown instanceof UsageException || thrown instanceof IllegalArgumentException) {
            return ExitCode.USAGE;
        }
        if (thrown instanceof CorruptDocumentException) {
            return isMissingNamespace(thrown) ? ExitCode.NOT_FOUND : ExitCode.CORRUPT;
        }
        if (thrown instanceof LeaseOutcomeUnknownException) {
            return ExitCode.UNKNOWN;
        }
        if (thrown instanceof LeaseUnavailableException
                || thrown instanceof LeaseContentionException
                || thrown instanceof MongoTimeoutException) {
            return ExitCode.UNAVAILABLE;
        }
        if (thrown instanceof LeaseStoreException
                || thrown instanceof UnsupportedDeploymentException
                || thrown instanceof MongoSecurityException
                || thrown instanceof MongoException refused && refused.getCode() == 13) {
            return ExitCode.NOT_ALLOWED;
        }
        return ExitCode.FAILED;
    }
}
