// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./AttackTest.sol";

/// @dev Somebody uses a good signature a second time, where it was not meant: on the other market, on another chain,
/// in another round, or simply again.
/// Answer: domain (chain and registry), parties, salt and `acceptBy` are inside what is signed, terms make one task
/// only, and a settlement names the task as it stands.
contract SignatureReplayTest is AttackTest {
    /// @dev A worker that improved its offer signed two terms over one salt: the poster makes one task of them, not
    /// two.
    function test_reverts_whenTwoOffersOverOneSaltAreBothUsed() public {
        (TaskTerms memory terms, bytes memory workerSig) = offer();
        (TaskTerms memory better, ) = offer();
        better.totalAmount = TOTAL / 2;
        bytes memory betterSig = signWith(workerKey, registry.hashTerms(better));
        create(better, betterSig);
        Wealth memory victim = wealthOf(worker);
        vm.expectRevert(abi.encodeWithSelector(ITaskRegistry.SaltUsed.selector, terms.salt));
        create(terms, workerSig);
        assertOutcome(worker, victim, 0, 0);
        assertEq(lockedOf(worker), BOND, "one bond");
    }

    /// @dev The same people, number, state and second on both markets: only the registry differs.
    function test_reverts_whenASettlementGoesToTheOtherMarket() public {
        uint256 taskId = active();
        uint64 validUntil = START + 30 days;
        bytes memory workerSig = signWith(workerKey, registry.hashSettlement(taskId, 0, validUntil));
        moveToOtherMarket();
        assertEq(active(), taskId, "the same number");
        expectBadSignature(worker);
        courtAs(poster).mutualSettle(taskId, 0, validUntil, "", workerSig);
    }

    function testFuzz_reverts_whenASettlementGoesToAnotherChain(uint64 chainId) public {
        vm.assume(chainId != 8453 && chainId != 0);
        uint256 taskId = active();
        uint64 validUntil = START + 30 days;
        bytes memory workerSig = signWith(workerKey, registry.hashSettlement(taskId, 0, validUntil));
        vm.chainId(chainId);
        expectBadSignature(worker);
        courtAs(poster).mutualSettle(taskId, 0, validUntil, "", workerSig);
    }

    /// @dev What one signs as an offer for terms is never a settlement, and the other way round.
    function test_reverts_whenOneKindOfSignatureStandsForTheOther() public {
        (TaskTerms memory terms, bytes memory workerSig) = offer();
        create(terms, workerSig);
        expectBadSignature(worker);
        courtAs(poster).mutualSettle(1, 0, START + 30 days, "", workerSig);
    }

    /// @dev The worker's signed offer, good for a day on this market.
    function offer() private view returns (TaskTerms memory terms, bytes memory workerSig) {
        terms = signedTerms(Scope.PRIVATE, noMilestones());
        workerSig = signWith(workerKey, registry.hashTerms(terms));
    }

    function create(TaskTerms memory terms, bytes memory workerSig) private {
        registryAs(poster).createTask(terms, noMilestones(), workerSig, "", 0);
    }

    /// @dev From here on the fixture's contracts are those of a second market with the same people and tokens.
    function moveToOtherMarket() private {
        deployMarket(address(tok), address(usdc));
        equip(poster);
        equip(worker);
    }
}
