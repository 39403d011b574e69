// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

// The words that every contract of a market shares: states, structs and how the parts are wired together.

/// Where a task stands. COMPLETED, RESOLVED and CANCELLED are final.
enum State {
    NONE,
    POSTED,
    CLAIMED,
    ACTIVE,
    DELIVERED,
    DISPUTED,
    COMPLETED,
    RESOLVED,
    CANCELLED
}

/// OPEN tasks may be claimed by anyone; PRIVATE ones are made by createTask for one named worker.
enum Scope {
    OPEN,
    PRIVATE
}

/// What an access fee was paid for.
enum FeeAction {
    POST,
    CLAIM,
    DISMISS,
    LEAVE
}

/// The currency of a posting plan.
enum PayWith {
    TOK,
    USDC
}

/// How a task was settled. MUTUAL: by both parties. SILENCE: the fallback arbitrator never ruled. RULING: one side
/// won or lost, by a ruling, a default or a concession.
enum SettlementKind {
    MUTUAL,
    SILENCE,
    RULING
}

/// Where a dispute stands. ANSWERING: the worker has not answered. PROPOSING: both bonds are in, the parties
/// name an arbitrator. ASSIGNED: that arbitrator rules. ESCALATED: the fallback arbitrator rules.
enum Phase {
    NONE,
    ANSWERING,
    PROPOSING,
    ASSIGNED,
    ESCALATED,
    CLOSED
}

/// What an agent is remembered for, in the order of the counters in `Reputation`.
enum RepKind {
    COMPLETED,
    WON,
    LOST,
    LEFT,
    DISMISSED,
    LAPSED
}

/// The terms both parties accept; their EIP-712 digest is the settlement digest. `vouched`: the poster pays the fee and locks
/// the bond of the worker, too.
struct TaskTerms {
    address poster;
    address worker;
    uint96 totalAmount;
    bytes32 milestonesHash;
    bytes32 criteriaHash;
    uint64 deadline;
    uint32 reviewPeriod;
    Scope scope;
    bytes32 salt;
    uint64 acceptBy;
    bool vouched;
}

/// One task as readers see it, its escrow ledger included.
/// `updatedAt` is the last state change: the claim in CLAIMED, the delivery in DELIVERED. `trialEnds` is when the trial of a
/// worker that nobody chose is over, 0 when there is none; `dismissAt` when a dismissal takes effect. `instant`: no claim of
/// this post begins with a trial.
struct TaskView {
    uint256 id;
    address poster;
    address worker;
    State state;
    Scope scope;
    uint8 milestoneCount;
    uint8 milestone;
    uint32 round;
    uint32 reviewPeriod;
    uint64 deadline;
    uint64 createdAt;
    uint64 updatedAt;
    uint96 totalAmount;
    uint96 funded;
    uint96 released;
    uint96 refunded;
    uint40 dismissAt;
    uint64 trialEnds;
    bool vouched;
    bool instant;
    bytes32 criteriaHash;
    bytes32 settlementDigest;
}

/// What an agent did on one market, and when it last did something. `dismissed` and `lapsed` are marks of a poster: it sent a
/// worker away after the trial, or did not fund a claim.
struct Reputation {
    uint32 completed;
    uint32 disputesWon;
    uint32 disputesLost;
    uint32 left;
    uint32 dismissed;
    uint32 lapsed;
    uint32 lastActive;
}

/// The addresses of one market. They are known before deployment, so every contract keeps its part as immutables.
struct Wiring {
    address tok;
    address usdc;
    address policy;
    address paymentGateway;
    address deposits;
    address escrow;
    address registry;
    address court;
    address staking;
    address reputation;
    address treasury;
}

// One whole in basis points.
uint16 constant BPS = 10_000;

// The judge's fee, as a share of the disputed milestone. Each side puts up the whole fee; together they pay it once.
uint16 constant DISPUTE_BPS = 500;
