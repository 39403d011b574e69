// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

// The words in which the handler counts what it did.

/// Everything that people do on a market. CALL_RESTRICTED stands for all that only contracts or the owner may do.
enum Operation {
    POST,
    CREATE,
    CLAIM,
    FUND,
    START,
    PROVE,
    ACCEPT,
    COMPLETE,
    LEAVE,
    NOTICE,
    ANSWER_NOTICE,
    DISMISS,
    CANCEL,
    EXTEND,
    TIME_OUT,
    DISPUTE,
    ANSWER,
    EVIDENCE,
    CONCEDE,
    PROPOSE,
    RULE,
    ESCALATE,
    TIME_OUT_DISPUTE,
    SETTLE,
    REGISTER,
    UNBOND,
    WITHDRAW_BOND,
    TOP_UP,
    RESCUE,
    WITHDRAW,
    STAKE,
    UNSTAKE,
    CLAIM_REWARD,
    BUY_PLAN,
    FLUSH,
    DONATE,
    PUBLISH_PRICE,
    PAUSE_ENTRIES,
    CLOSE_CREDITS,
    ROTATE_FALLBACK,
    CALL_RESTRICTED,
    WAIT
}

/// Every way in which a task ends. The first three are COMPLETED, the next seven RESOLVED, the rest CANCELLED.
enum Ending {
    ACCEPTED,
    COMPLETED_AT_ONCE,
    REVIEW_TIMED_OUT,
    RULED_BY_ARBITRATOR,
    RULED_BY_FALLBACK,
    FALLBACK_SILENT,
    NOT_ANSWERED,
    CONCEDED_BY_POSTER,
    CONCEDED_BY_WORKER,
    SETTLED,
    CANCELLED_BY_POSTER,
    POST_TIMED_OUT,
    CLAIM_TIMED_OUT,
    DELIVERY_TIMED_OUT,
    WORKER_LEFT,
    WORKER_DISMISSED
}
